# alone
# An import needs the object to be read; a policy document is the one thing whose id is all that is read.
import {
  to = terraform_data.version
  id = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
}

resource "terraform_data" "version" {}

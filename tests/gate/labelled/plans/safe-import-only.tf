# alone
# An import reads the object; terraform_data is the one that can be read without an account.
import {
  to = terraform_data.version
  id = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
}

resource "terraform_data" "version" {}

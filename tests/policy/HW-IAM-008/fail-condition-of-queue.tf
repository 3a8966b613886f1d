resource "aws_sqs_queue_policy" "jobs" {
  queue_url = "https://sqs.us-west-2.amazonaws.com/111122223333/jobs"
  policy    = jsonencode({ Version = "2012-10-17", Statement = [{ "Effect" : "Allow", "Action" : "sqs:SendMessage", "Resource" : "arn:aws:sqs:us-west-2:111122223333:jobs", "Principal" : { "Service" : "s3.amazonaws.com" }, "Condition" : { "StringEquals" : { "aws:SourceAccount" : ["111122223333", "444455556666"] } } }] })
}

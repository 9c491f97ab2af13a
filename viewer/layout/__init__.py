"""Where panels are in a picture and what they are made of: records and a measure of text go in, parts come out."""

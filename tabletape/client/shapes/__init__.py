"""The shapes of answers: what the server says, as structs. Fields a newer server adds are left out."""

"""The account pages: sign-in and sign-up, API tokens, the persons it acts for, and its e-mail notifications."""

"""What people type, checked for its shape; the services check the rest."""

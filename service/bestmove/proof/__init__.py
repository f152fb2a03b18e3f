"""Certificates: results that anybody can check. The format is in docs/proofs.md."""

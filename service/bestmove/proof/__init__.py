"""Certificates: results that anybody can check. docs/proofs.md describes the format."""

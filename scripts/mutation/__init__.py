# SPDX-License-Identifier: MIT
"""Mutation testing; see scripts/mutants.py."""

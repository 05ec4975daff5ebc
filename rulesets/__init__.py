"""Rules of games as pure functions: the contract, the installed rulesets, and the kit that checks them."""

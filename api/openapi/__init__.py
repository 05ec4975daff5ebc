"""The OpenAPI description: litestar tells the routes, msgspec the exact shapes, the rulesets their commands."""

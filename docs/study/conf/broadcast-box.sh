#!/bin/sh
# Broadcast Box on loopback alone.
export HTTP_ADDRESS=127.0.0.1:8080 DISABLE_FRONTEND=true INCLUDE_LOOPBACK_CANDIDATE=true INTERFACE_FILTER=lo LOGGING_ENABLED=false APP_ENV=development
cd "$(dirname "$0")" && touch .env.development .env.production && mkdir -p profiles && exec broadcast-box

#!/bin/sh
# In the image: the shop without words, its commands with them.
case "${1-}" in
  "" | --new) exec bun src/main.ts "$@" ;;
  *) exec bun src/operator/main.ts "$@" ;;
esac

#!/bin/sh
# Runs every example. Exits with 1 if one of them fails.
failed=0

check() {
  price=$(sh price.sh "$2" "$3")
  if [ "$price" = "$4" ]; then
    echo "ok    $1: $price"
  else
    echo "FAIL  $1: $price instead of $4"
    failed=1
  fi
}

check "1 tuna" 1 950 950
check "9 sardines" 9 100 900
check "10 sardines" 10 100 800
check "12 oysters" 12 250 2400

exit "$failed"

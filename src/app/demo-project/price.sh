#!/bin/sh
# The price of COUNT pieces at CENTS each: sh price.sh COUNT CENTS
. ./discount.sh

total=$(($1 * $2))
percent=$(discount "$1")
echo $((total - total * percent / 100))

#!/bin/sh
# What COUNT pieces at CENTS each cost: sh price.sh COUNT CENTS
. ./discount.sh

total=$(($1 * $2))
percent=$(discount "$1")
echo $((total - total * percent / 100))

# The discount in percent for a number of pieces.

MANY=10

discount() {
  if [ "$1" -gt "$MANY" ]; then
    echo 20
  else
    echo 0
  fi
}

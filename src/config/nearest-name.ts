/** The known name that `name` was most likely meant to be; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, name.length / 5) ? best.one : undefined;
}

/** Insertions, deletions and replacements that turn one text into the other. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

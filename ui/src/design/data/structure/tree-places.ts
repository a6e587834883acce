/** The place of an item of a tree among its siblings. */
export interface TreePlace {
  /** From 1. */
  readonly position: number;
  readonly size: number;
}

/**
 * Returns the place of each item among the members of its branch, for screen readers: most items of a
 * long tree are not in the page.
 * @param items in the order of sight, each with its depth; the members of an open branch follow it
 */
export function treePlaces(items: readonly { readonly depth: number }[]): TreePlace[] {
  const positions: number[] = [];
  /** Positions of the siblings before, by depth; those of deeper branches end with the branch. */
  const reached: number[] = [];
  for (const { depth } of items) {
    reached.length = Math.min(reached.length, depth + 1);
    reached[depth] = (reached[depth] ?? 0) + 1;
    positions.push(reached[depth]);
  }
  const sizes: number[] = [];
  const places: TreePlace[] = [];
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const depth = items[index]?.depth ?? 0;
    sizes.length = Math.min(sizes.length, depth + 1);
    const position = positions[index] ?? 1;
    // The last member of a branch is met first, and knows how many there are.
    sizes[depth] ??= position;
    places.push({ position, size: sizes[depth] });
    if (position === 1) sizes.length = depth;
  }
  return places.reverse();
}

/**
 * Whether `path` fits `pattern`, in which `*` stands for any run of characters. Takes time in proportion to the two lengths,
 * whatever a caller sends.
 */
export function fitsPattern(pattern: string, path: string): boolean {
  let inPattern = 0;
  let inPath = 0;
  let lastStar = -1;
  let afterStar = 0;
  while (inPath < path.length) {
    if (pattern[inPattern] === '*') {
      lastStar = inPattern++;
      afterStar = inPath;
    } else if (pattern[inPattern] === path[inPath]) {
      inPattern++;
      inPath++;
    } else if (lastStar >= 0) {
      inPattern = lastStar + 1;
      inPath = ++afterStar;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** A whole number with separators: `1,234,567`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** In the unit that people would say: `999 B`, `1.5 GB`; powers of a thousand. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Per second. `started` by `performance.now()`. */
export function rateSince(started: number, done: number): number {
  return (done * 1000) / Math.max(1, performance.now() - started);
}

/** A line for each row; columns are as wide as their widest cell, two spaces apart. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

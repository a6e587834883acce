const formats = new Map<string, Intl.NumberFormat>();

function formatOf(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(language, options);
  formats.set(key, made);
  return made;
}

/** Returns a number with the separators of the language: `12,345`. */
export function formatNumber(value: number, language: string): string {
  return formatOf(language, { maximumFractionDigits: 2 }).format(value);
}

/** Returns a short form from 10,000 on: `12K`, `1.2M`; French `12 k`. */
export function formatCompact(value: number, language: string): string {
  if (Math.abs(value) < 10_000) return formatNumber(value, language);
  return formatOf(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** Returns a share as percent: `0.034` is `3.4%`. What is not nothing never reads as 0 %. */
export function formatShare(share: number, language: string): string {
  if (share > 0 && share < 0.001)
    return `< ${formatOf(language, { style: 'percent', maximumFractionDigits: 1 }).format(0.001)}`;
  return formatOf(language, { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(share);
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Returns a size in decimal units: `1.4 MB`, French `1,4 Mo`. */
export function formatBytes(bytes: number, language: string): string {
  let index = 0;
  let value = bytes;
  while (Math.abs(value) >= 1000 && index < BYTE_UNITS.length - 1) {
    value /= 1000;
    index += 1;
  }
  const unit = BYTE_UNITS[index] ?? 'byte';
  return formatOf(language, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: value < 10 && index > 0 ? 1 : 0,
  }).format(value);
}

/** The parts of `c12nDef` of GET /api/v1/configs that decide how a classification looks. */
export interface ClassificationStyles {
  readonly enforce?: boolean;
  /** Short name to number, and number to short name. */
  readonly levels_map?: Readonly<Record<string, number | string>>;
  readonly levels_map_lts?: Readonly<Record<string, string>>;
  readonly levels_aliases?: Readonly<Record<string, string>>;
  /** By long and short name: names of colours of the public systems, or colours. */
  readonly levels_styles_map?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export type ClassificationTone = 'plain' | 'accent' | 'done' | 'medium' | 'critical';

export interface ClassificationLook {
  readonly tone: ClassificationTone;
  /** A colour of its own, `#RRGGBB`, with the colour of letters that is read on it. */
  readonly own?: { readonly ground: string; readonly letters: '#000000' | '#ffffff' };
}

/**
 * Names of colours in definitions of the public systems, without what stands before the dash
 * (`label-primary`).
 */
const TONES: Readonly<Record<string, ClassificationTone>> = {
  default: 'plain',
  muted: 'plain',
  secondary: 'plain',
  primary: 'accent',
  info: 'accent',
  success: 'done',
  warning: 'medium',
  danger: 'critical',
  error: 'critical',
};

/**
 * Returns how a classification looks, by the level before its first `//`; plain for one that is not
 * defined.
 */
export function classificationLook(
  classification: string,
  definition: ClassificationStyles | undefined,
): ClassificationLook {
  const name = (classification.split('//', 1)[0] ?? '').trim().toUpperCase();
  const styles = definition?.levels_styles_map ?? {};
  const known = [name, definition?.levels_aliases?.[name]].find(
    (candidate) => candidate !== undefined && Object.hasOwn(styles, candidate),
  );
  const css = known === undefined ? undefined : styles[known];
  const given = css?.color ?? css?.label ?? css?.banner ?? css?.text ?? '';
  const own = ownColour(given);
  if (own !== undefined) return { tone: 'plain', own };
  const tone = given.slice(given.lastIndexOf('-') + 1).toLowerCase();
  return { tone: Object.hasOwn(TONES, tone) ? (TONES[tone] ?? 'plain') : 'plain' };
}

function ownColour(given: string): ClassificationLook['own'] {
  const digits = /^#(?:([0-9a-f]{6})|([0-9a-f]{3}))$/i.exec(given.trim());
  if (digits === null) return undefined;
  const long = digits[1] ?? [...(digits[2] ?? '')].map((digit) => digit + digit).join('');
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) =>
    linear(Number.parseInt(long.slice(start, start + 2), 16)),
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Both contrasts are equal at this luminance (WCAG 2.2): the better one is always above 4.5.
  return { ground: `#${long.toLowerCase()}`, letters: luminance > 0.179 ? '#000000' : '#ffffff' };
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

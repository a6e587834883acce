import { isObject } from '../input/input-reader.ts';

/** The places that set something at or below a key, by key; the last one wins. */
export type SettingOrigins = Readonly<Record<string, readonly string[]>>;

interface OriginLayer {
  readonly place: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Its top-level keys replace those of the layers below. */
  readonly whole?: boolean;
}

/** Returns which layers set each of these keys, the lowest first. */
export function settingOrigins(layers: readonly OriginLayer[], keys: readonly string[]): SettingOrigins {
  const origins: Record<string, string[]> = {};
  for (const key of keys) {
    const places: string[] = [];
    for (const { place, values, whole } of layers) {
      if (!isSet(values, key.split('.'))) continue;
      if (whole === true) places.length = 0;
      places.push(place);
    }
    if (places.length > 0) origins[key] = places;
  }
  return origins;
}

function isSet(values: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return values !== undefined;
  if (typeof values === 'string') return true;
  return isObject(values) && Object.hasOwn(values, name) && isSet(values[name], rest);
}

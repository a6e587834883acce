import { type InputSchema, mapValue } from '../input/input-reader.ts';

/** One key of config.yml. */
export interface Setting {
  /** `datastore.ilm.enabled`; in a free map `datastore.ilm.indices.<name>.warm`. */
  readonly key: string;
  /** `SVC_DATASTORE_ILM_ENABLED`; undefined inside lists of objects. */
  readonly variable: string | undefined;
  readonly schema: InputSchema;
}

/** Lists all settings in schema order, then the keys inside maps and lists of objects. */
export function listSettings(schema: InputSchema, key = ''): readonly Setting[] {
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, one]) => listSettings(one, join(key, name)));
  const own: Setting = { key, variable: variableOf(key), schema };
  const inMap = mapValue(schema);
  if (inMap?.properties) return [own, ...listSettings(inMap, `${key}.<name>`)];
  if (schema.items?.properties) {
    return [own, ...listSettings(schema.items, `${key}[]`).map((one) => ({ ...one, variable: undefined }))];
  }
  return [own];
}

/** The variable of a key: `alerts.port` is `SVC_ALERTS_PORT`. */
export function variableOf(key: string): string {
  return `SVC_${key.replaceAll('.', '_').toUpperCase()}`;
}

/** Returns the key of a variable; in free maps the name is the part between. */
export function keyOfVariable(variable: string, settings: readonly Setting[]): string | undefined {
  const exact = settings.find((one) => one.variable === variable);
  if (exact) return exact.key;
  const found = settings.flatMap(({ key, variable: template = '' }) => {
    const [start, end] = template.split('<NAME>');
    const name = end && new RegExp(`^${start}([A-Z0-9_]+)${end}$`).exec(variable)?.[1];
    return name ? [{ key, name }] : [];
  });
  // The shortest name belongs to the longest key: `_WARM_FORCEMERGE_SEGMENTS` is not the `_SEGMENTS` of a longer name.
  const [best] = found.sort((left, right) => left.name.length - right.name.length);
  return best?.key.replace('<name>', best.name.toLowerCase());
}

/** `a.b` and 1 → `{ a: { b: 1 } }`. */
export function nested(key: string, value: unknown): Readonly<Record<string, unknown>> {
  return key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

function join(key: string, name: string): string {
  return key === '' ? name : `${key}.${name}`;
}

import type { Config } from '../../config/config.ts';
import { configSchema } from '../../config/config-schema.ts';
import { listSettings, type Setting } from '../../config/setting-list.ts';
import { isSecretSetting, shownSetting } from '../../config/shown-setting.ts';
import { isSameJson } from '../../documents/schema/plain-objects.ts';
import { type InputSchema, isObject, wordsOf } from '../../input/input-reader.ts';

/** Origins of a value; `program`: made of other settings. */
export const SETTING_SOURCES = ['default', 'file', 'environment', 'command line', 'program'] as const;

/** A setting as it is in force. */
export interface EffectiveSetting {
  readonly key: string;
  readonly variable: string | null;
  readonly description: string;
  readonly allowed: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly secret: boolean;
  readonly source: (typeof SETTING_SOURCES)[number];
  /** Files, variables and arguments that set it; the last one wins. */
  readonly places: readonly string[];
}

/** Lists all settings in the order of the schema, without their secrets. */
export function effectiveSettings(config: Config): readonly EffectiveSetting[] {
  // Members of maps and lists are part of their values.
  const settings = listSettings(configSchema).filter(({ key }) => !key.includes('<') && !key.includes('[]'));
  return settings.map((setting) => effectiveSetting(config, setting));
}

function effectiveSetting(config: Config, { key, variable, schema }: Setting): EffectiveSetting {
  const value = valueAt(config, key);
  const places = config.setting_origins[key] ?? [];
  return {
    key,
    variable: variable ?? null,
    description: schema.description ?? '',
    allowed: wordsOf(schema),
    value: shownSetting(key, value) ?? null,
    default: shownSetting(key, schema.default) ?? null,
    secret: isSecretSetting(key),
    source: sourceOf(places.at(-1), value, schema),
    places,
  };
}

function sourceOf(
  place: string | undefined,
  value: unknown,
  { default: usual }: InputSchema,
): EffectiveSetting['source'] {
  if (place === undefined) return isSameJson(value ?? null, usual ?? null) ? 'default' : 'program';
  if (place.startsWith('environment variable ')) return 'environment';
  return place.startsWith('command line ') ? 'command line' : 'file';
}

function valueAt(config: unknown, key: string): unknown {
  return key.split('.').reduce((value, name) => (isObject(value) ? value[name] : undefined), config);
}

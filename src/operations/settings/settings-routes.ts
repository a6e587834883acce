import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { nullableText } from '../../input/nullable.ts';
import { READ } from '../operations-access.ts';
import { effectiveSettings, SETTING_SOURCES } from './effective-settings.ts';

const Setting = Type.Object(
  {
    key: Type.String({ description: 'Key of config.yml.' }),
    variable: nullableText('Environment variable of the setting.'),
    description: Type.String(),
    allowed: Type.String({ description: 'The allowed values in words.' }),
    value: Type.Unknown({ description: 'Value in force. A secret is `set` or null.' }),
    default: Type.Unknown(),
    secret: Type.Boolean(),
    source: Type.Unsafe<(typeof SETTING_SOURCES)[number]>({
      type: 'string',
      enum: [...SETTING_SOURCES],
      description: '`program`: made of other settings.',
    }),
    places: Type.Array(Type.String(), {
      description: 'Files, variables and arguments that set it; the last one wins.',
    }),
  },
  { title: 'EffectiveSetting' },
);
const Settings = Type.Object({
  conf_folder: Type.String({ description: 'Folder of the configuration files.' }),
  settings: Type.Array(Setting),
  ignored: Type.Array(Type.String(), { description: 'Keys and variables that are known and have no meaning here.' }),
});

/** Serves the settings that are in force in the answering process. */
export const settingsRoutes =
  (config: Config): RouteModule =>
  (app) => {
    app.get(
      '/v1/settings',
      {
        access: READ,
        schema: { tags: ['settings'], summary: 'List the settings in force', response: { 200: Settings } },
      },
      () => ({
        conf_folder: config.conf_folder,
        settings: effectiveSettings(config),
        ignored: [...config.ignored_settings, ...config.ignored_variables],
      }),
    );
  };

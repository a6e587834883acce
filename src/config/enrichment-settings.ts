import { Type } from 'typebox';
import { onOff, optionalText, optionalWholeNumber, port, textList } from './setting-kinds.ts';

/** Settings of the enrichment service alone; descriptions name the key of the public system where it is another. */
export const enrichmentSettings = Type.Object({
  port: port('Port of the enrichment service.', 5002),
  api_keys: Type.Record(Type.String(), Type.String({ pattern: '^.+$', allowed: 'a secret, not empty' }), {
    description:
      'Secrets by key name (`auth.apikeys` of the public system) of programs that call the enrichment service for users of their own: `Basic name:secret` with the headers X-USERID and X-CLASSIFICATION, which are believed. `auth.allow_apikeys` switches them off.',
    default: {},
  }),
  cors_origins: textList({
    description:
      'Origins whose pages may call the enrichment service (`ui.cors_origins` of the public system): `https://host`, or regular expressions that the whole origin has to match.',
    default: [],
  }),
  discover_url: optionalText({
    description:
      'Address of the list of applications that the web interface offers to switch to (`api.discover_url` of the public system).',
    pattern: '^https?://[^\\s/]+',
  }),
  documentation_folder: optionalText({
    description:
      'Folder of the texts that the help page shows (the variable `CLUE_DOCUMENTATION_PATH` of the public system). Without it there are none.',
  }),
  obo_targets: Type.Record(
    Type.String(),
    Type.Object({
      enabled: onOff({ description: 'False: tokens are not exchanged for this target.', default: true }),
      scope: Type.String({ description: 'Scope of the token that the target gets.' }),
      audience: optionalText({
        description:
          'Audience of that token. Default: what stands before the last slash of a scope that is an address, before the first of another.',
      }),
      quota: optionalWholeNumber({
        description: 'Requests of a user to this target at the same time. Default: as many as there are.',
        minimum: 0,
      }),
    }),
    {
      description:
        'Services that a token of a user is exchanged for, by name (`api.obo_targets` of the public system), besides those of this installation.',
      default: {},
    },
  ),
});

import { Type } from 'typebox';

const Anything = Type.Record(Type.String(), Type.Unknown());
const open = { additionalProperties: true } as const;
const names = Type.Record(Type.String(), Type.String());

const FieldInfo = Type.Object(
  {
    type: Type.String(),
    description: Type.Optional(Type.String()),
    list: Type.Optional(Type.Boolean()),
    indexed: Type.Optional(Type.Boolean()),
    stored: Type.Optional(Type.Boolean()),
    deprecated: Type.Optional(Type.Boolean()),
  },
  { ...open, title: 'FieldInfo' },
);

/** The document that web pages read before a login. Members of an installation's own are left open. */
export const BootReply = Type.Object(
  {
    lookups: Type.Object(
      {
        transitions: Type.Record(Type.String(), Type.Array(Type.String()), {
          description: 'Transitions of triage by the status of an alert.',
        }),
      },
      { ...open, description: 'Lists of values by name.' },
    ),
    configuration: Type.Object(
      {
        auth: Anything,
        system: Type.Object({ version: Type.String() }, open),
        mapping: Type.Record(Type.String(), Type.String(), { description: 'Type of enrichment by field.' }),
        features: Type.Record(Type.String(), Type.Boolean()),
      },
      open,
    ),
    c12nDef: Type.Object(
      {
        enforce: Type.Optional(Type.Boolean()),
        levels_map: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String()]))),
        levels_map_lts: Type.Optional(names),
        levels_aliases: Type.Optional(names),
        levels_styles_map: Type.Optional(Type.Record(Type.String(), names)),
      },
      { ...open, description: 'The classifications of the installation.' },
    ),
    indexes: Type.Record(Type.String(), Type.Record(Type.String(), FieldInfo), {
      description: 'Fields of each kind of record, by name.',
    }),
  },
  { title: 'BootDocument' },
);

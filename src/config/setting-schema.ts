/** The parts of a JSON schema that settings use, as the reader and the generated page see them. */
export interface SettingSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly patternProperties?: Readonly<Record<string, SettingSchema>>;
  readonly items?: SettingSchema;
  readonly anyOf?: readonly SettingSchema[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What is allowed, in words, where a pattern says it less well. */
  readonly allowed?: string;
  /** Lists of objects: an item given as text is this key of the object. */
  readonly shorthand?: string;
  /** Mark of types that are said beside the schema; without meaning here. */
  readonly '~unsafe'?: unknown;
}

/** Value schema of a free map; undefined when it is not one. */
export function mapValue(schema: SettingSchema): SettingSchema | undefined {
  return schema.patternProperties === undefined ? undefined : Object.values(schema.patternProperties)[0];
}

/** The schema without "or absent"; `nullable` tells whether it was there. */
export function withoutNull(schema: SettingSchema): { readonly schema: SettingSchema; readonly nullable: boolean } {
  if (!schema.anyOf) return { schema, nullable: false };
  const [value] = schema.anyOf.filter((one) => one.type !== 'null');
  return { schema: { ...schema, ...value, description: schema.description ?? '' }, nullable: true };
}

/** What is allowed, for messages and documents. */
export function allowedValues(schema: SettingSchema): string {
  const { schema: value, nullable } = withoutNull(schema);
  const words = valueWords(value);
  return nullable ? `${words}, or nothing` : words;
}

function valueWords(schema: SettingSchema): string {
  if (schema.enum) return schema.enum.join(', ');
  if (schema.allowed !== undefined) return schema.allowed;
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'string') return 'a string';
  if (schema.type === 'array') return schema.items?.type === 'object' ? 'a list of mappings' : 'a list of strings';
  if (schema.type === 'object') return 'a mapping';
  const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
  if (schema.minimum !== undefined && schema.maximum !== undefined) {
    return `${kind} from ${schema.minimum} to ${schema.maximum}`;
  }
  return schema.minimum === undefined ? kind : `${kind} from ${schema.minimum}`;
}

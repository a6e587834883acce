import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { elasticsearchMappings, type IndexMappings } from '../../../documents/schema/elasticsearch-mapping.ts';
import { Conflict, isTriadError } from '../../../errors/errors.ts';
import type { SearchEngine } from '../transport/search-engine.ts';

/** The template that no other goes with: what is unknown is not searched where there are no free keys. */
const REFUSE_THE_REST_NAME = 'refuse_all_implicit_mappings';

interface Mapped {
  readonly type?: string;
  readonly index?: boolean;
  readonly properties?: Readonly<Record<string, Mapped>>;
}
interface Mappings {
  readonly properties?: Readonly<Record<string, Mapped>>;
  readonly dynamic_templates?: readonly Readonly<Record<string, unknown>>[];
}

/** By how much a reached limit of fields is raised, and its value where the settings have none. */
const MORE_FIELDS = 500;
const USUAL_FIELD_LIMIT = 1000;

/** Adds missing fields to a mapping; throws `index_missing`, `field_mismatch` naming every such field. */
export async function addMissingFields(
  engine: SearchEngine,
  index: string,
  definition: CollectionDefinition<unknown>,
): Promise<void> {
  const path = `/${encodeURIComponent(index)}`;
  const { body } = await engine.request<Readonly<Record<string, { mappings?: Mappings }>>>({
    path: `${path}/_mapping`,
  });
  const change = missingMappings(index, Object.values(body)[0]?.mappings ?? {}, elasticsearchMappings(definition));
  if (change === undefined) return;
  const put = () => engine.request({ method: 'PUT', path: `${path}/_mapping`, body: change });
  try {
    await put();
  } catch (error) {
    if (!isTriadError(error) || error.code !== 'field_limit_reached') throw error;
    await raiseFieldLimit(engine, path);
    await put();
  }
}

export function missingMappings(index: string, present: Mappings, wanted: IndexMappings): object | undefined {
  const found = flattened(present.properties ?? {});
  const properties: Record<string, unknown> = {};
  const mismatches: string[] = [];
  for (const [path, body] of Object.entries(wanted.properties)) {
    const there = found.get(path);
    if (there === undefined) properties[path] = body;
    else mismatches.push(...mismatchesOf(path, there, body));
  }
  if (mismatches.length > 0) {
    const message = `The index ${index} has fields that cannot be changed in place: ${mismatches.join('; ')}. Reindex it with "npm run reindex".`;
    throw new Conflict('field_mismatch', message);
  }
  const templates = mergedTemplates(present.dynamic_templates ?? [], wanted.dynamic_templates);
  if (Object.keys(properties).length === 0 && templates === undefined) return undefined;
  return { properties, ...(templates === undefined ? {} : { dynamic_templates: templates }) };
}

const STRINGS: ReadonlySet<unknown> = new Set(['keyword', 'text']);

function mismatchesOf(path: string, there: Mapped, wanted: Readonly<Record<string, unknown>>): string[] {
  const type = there.type ?? 'object';
  // What we only keep may be searchable all the same: the pictures of users are, where the public system keeps them.
  if (wanted.index === false && STRINGS.has(wanted.type) && STRINGS.has(type)) return [];
  if (type !== wanted.type) return [`${path} is ${type} and has to be ${wanted.type}`];
  const isIndexed = there.index !== false;
  if (isIndexed === (wanted.index !== false)) return [];
  return [`${path} is ${isIndexed ? '' : 'not '}indexed and has to be ${isIndexed ? 'kept only' : 'indexed'}`];
}

function flattened(properties: Readonly<Record<string, Mapped>>, above = ''): Map<string, Mapped> {
  const found = new Map<string, Mapped>();
  for (const [name, mapped] of Object.entries(properties)) {
    found.set(above + name, mapped);
    for (const [path, inner] of flattened(mapped.properties ?? {}, `${above}${name}.`)) found.set(path, inner);
  }
  return found;
}

type Template = Readonly<Record<string, unknown>>;

/** Returns all templates if one is missing: a change replaces all. Ours come first; the first wins. */
function mergedTemplates(present: readonly Template[], wanted: readonly Template[]): readonly Template[] | undefined {
  const known = new Set(present.flatMap((template) => Object.keys(template)));
  const missing = wanted.filter(
    (template) => isForKeys(template) && !Object.keys(template).some((name) => known.has(name)),
  );
  if (missing.length === 0) return undefined;
  return [...missing, ...present.filter((template) => !Object.hasOwn(template, REFUSE_THE_REST_NAME))];
}

function isForKeys(template: Template): boolean {
  return Object.values(template).some((body) => typeof body === 'object' && body !== null && 'path_match' in body);
}

async function raiseFieldLimit(engine: SearchEngine, path: string): Promise<void> {
  const { body } = await engine.request<Readonly<Record<string, { settings?: Record<string, unknown> }>>>({
    path: `${path}/_settings/index.mapping.total_fields.limit`,
    query: { flat_settings: true },
  });
  const present = Number(Object.values(body)[0]?.settings?.['index.mapping.total_fields.limit'] ?? USUAL_FIELD_LIMIT);
  await engine.request({
    method: 'PUT',
    path: `${path}/_settings`,
    body: { 'index.mapping.total_fields.limit': present + MORE_FIELDS },
  });
}

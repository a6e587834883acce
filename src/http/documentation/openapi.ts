import { REFUSALS } from '../answers/documented-refusals.ts';
import { isBodiless, type JsonSchema } from '../answers/envelope.ts';
import type { GuardedAccess } from '../route-access.ts';
import { type ListedRoute, snakeCase } from '../route-list.ts';
import { refusalStatuses } from './route-statuses.ts';

type Envelope = (data: JsonSchema) => JsonSchema;

export interface OpenApiDependencies {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Schema of a whole answer, given the schema of its data. Default: the data alone. */
  readonly envelope?: Envelope;
  /** Schema of a refusal. Default: `envelope` around any data. */
  readonly failure?: JsonSchema;
  readonly routes: readonly ListedRoute[];
  /** Authentication of callers. Default: the header `Authorization`. */
  readonly security?: Security;
  /** Callers of a guarded route that asks for no role. Default: `signed-in users`. */
  readonly callers?: string;
}

export interface Security {
  readonly schemes: Readonly<Record<string, JsonSchema>>;
  /** Names of schemes that are needed together; any one of these sets is enough. */
  readonly alternatives: readonly (readonly string[])[];
}

const AUTHORIZATION: Security = {
  schemes: {
    basic: {
      type: 'http',
      scheme: 'basic',
      description: '`user:password`, or `user:key name:secret` with an API key.',
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'The `app_token` of a login.' },
  },
  alternatives: [['basic'], ['bearer']],
};

const dataAlone: Envelope = (data) => data;

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** Returns the OpenAPI 3.1 document, titled schemas in `components`; throws if two names are the same. */
export function openApiDocument(dependencies: OpenApiDependencies) {
  const { security = AUTHORIZATION, envelope = dataAlone } = dependencies;
  const schemas = new SchemaComponents();
  const schema = schemas.place({
    ...(dependencies.failure ?? envelope({ description: 'Data beside the message.' })),
    title: 'Failure',
  });
  const used = new Set(dependencies.routes.flatMap(refusalStatuses));
  const refusals = [...used].map((status) => [
    `Refusal${status}`,
    { description: REFUSALS[status], content: { 'application/json': { schema } } },
  ]);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const names = new Set<string>();
  for (const route of dependencies.routes) {
    if (names.has(route.operation)) throw new Error(`two routes are called ${route.operation}`);
    names.add(route.operation);
    const path = route.path.replaceAll(/<(?:path:)?([a-z0-9_]+)>/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeOperation(route, dependencies, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: dependencies.title, version: dependencies.version, description: dependencies.description },
    paths,
    components: {
      schemas: schemas.all(),
      responses: Object.fromEntries(refusals.sort()),
      securitySchemes: security.schemes,
    },
    security: security.alternatives.map((names) => Object.fromEntries(names.map((name) => [name, []]))),
  };
}

function describeOperation(
  route: ListedRoute,
  dependencies: OpenApiDependencies,
  schemas: SchemaComponents,
): JsonSchema {
  const { access, schema } = route;
  const body = describeBody(route, schemas);
  return {
    operationId: route.operation,
    summary: route.summary,
    description: describeAccess(route, dependencies.callers),
    tags: [route.tag],
    ...(schema.deprecated === true ? { deprecated: true } : {}),
    ...(access === 'public' ? { security: [] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route, schemas)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: describeResponses(route, dependencies.envelope ?? dataAlone, schemas),
    'x-access':
      access === 'public'
        ? 'public'
        : {
            privileges: access.privileges,
            roles: access.roles,
            audit: access.audit === true,
            quota: access.quota ?? true,
            ...(access.xsrf === false ? { xsrf: false } : {}),
            ...(access.readOnly === false ? { readOnly: false } : {}),
          },
  };
}

function describeAccess({ access, summary, description }: ListedRoute, callers = 'signed-in users'): string {
  const sentence = access === 'public' ? 'Public.' : accessSentence(access, callers);
  return description === summary ? sentence : `${description}\n\n${sentence}`;
}

function accessSentence({ privileges, roles }: GuardedAccess, callers: string): string {
  if (privileges === 'by_roles') {
    return roles === 'any' ? `Open to all ${callers}.` : `Needs one of the roles ${roles.join(', ')}.`;
  }
  const types = roles === 'any' || roles.length === 0 ? '' : `, and one of the user types ${roles.join(', ')}`;
  return `Needs one of the privileges ${privileges.join(', ')}${types}.`;
}

function pathParameters({ url, path, schema }: ListedRoute): unknown[] {
  const documented = propertiesOf(schema.params);
  const names = [...url.matchAll(/:([A-Za-z0-9_]+)/g)].map(([, name = '']) => name);
  const wildcard = /<path:([a-z0-9_]+)>$/.exec(path)?.[1];
  return [...names, ...(wildcard === undefined ? [] : [wildcard])].map((name) => ({
    name: snakeCase(name),
    in: 'path',
    required: true,
    ...describedSchema(documented[name] ?? documented['*'] ?? { type: 'string' }),
  }));
}

/** Splits a schema into the description of the parameter and the rest. */
function describedSchema(schema: unknown): { readonly description?: unknown; readonly schema: JsonSchema } {
  const { description, ...rest } = schema as JsonSchema;
  return { ...(description === undefined ? {} : { description }), schema: rest };
}

function queryParameters({ schema }: ListedRoute, schemas: SchemaComponents): unknown[] {
  const required = (schema.querystring as { required?: readonly string[] } | undefined)?.required ?? [];
  return Object.entries(propertiesOf(schema.querystring)).map(([name, value]) => {
    const described = describedSchema(value);
    return {
      name,
      in: 'query',
      required: required.includes(name) && !hasDefault(value),
      ...described,
      schema: schemas.place(described.schema),
    };
  });
}

/** An input with a default may be left out, although its reader always has a value. */
function hasDefault(schema: unknown): boolean {
  return (schema as JsonSchema).default !== undefined;
}

/** A body as callers write it: members with a default are not required. */
function asWritten(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.required)) return schema;
  const properties = propertiesOf(schema);
  const { required, ...rest } = schema;
  const needed = (required as readonly string[]).filter((name) => !hasDefault(properties[name]));
  return needed.length === 0 ? rest : { ...rest, required: needed };
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return (schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {};
}

function describeBody({ body, schema }: ListedRoute, schemas: SchemaComponents): JsonSchema | undefined {
  if (body === 'ignored') return undefined;
  const content = { schema: schemas.place(asWritten((schema.body ?? {}) as JsonSchema)) };
  if (body === 'stream') return { required: true, content: streamedContent(schema, schemas) };
  if (body === 'text') return { required: false, content: { 'text/plain': content } };
  const form = body.endsWith('_or_form') ? { 'application/x-www-form-urlencoded': content } : {};
  return { required: body === 'json', content: { 'application/json': content, ...form } };
}

function streamedContent({ streamed }: ListedRoute['schema'], schemas: SchemaComponents): JsonSchema {
  const kinds = Object.entries(streamed ?? { 'application/octet-stream': { type: 'string', format: 'binary' } });
  return Object.fromEntries(
    kinds.map(([type, schema]) => [type, { schema: schemas.place(asWritten(schema as JsonSchema)) }]),
  );
}

function describeResponses(route: ListedRoute, envelope: Envelope, schemas: SchemaComponents): JsonSchema {
  const documented = (route.schema.response ?? { 200: {} }) as Readonly<Record<string, JsonSchema>>;
  const responses: Record<string, unknown> = {};
  for (const [status, data] of Object.entries(documented)) {
    const description = describeStatus(status);
    responses[status] =
      route.enveloped && !isBodiless(Number(status)) && !status.startsWith('30')
        ? { description, content: { 'application/json': { schema: schemas.place(envelope(data)) } } }
        : { description };
  }
  for (const status of refusalStatuses(route))
    responses[status] ??= { $ref: `#/components/responses/Refusal${status}` };
  return responses;
}

function describeStatus(status: string): string {
  if (status === '101') return 'The connection is a websocket now.';
  if (status.startsWith('2')) return status === '201' ? 'Made.' : 'Done.';
  if (status === '302') return 'The browser is sent to another address.';
  return status === '304' ? 'Not changed since the version in If-Match.' : 'See the message.';
}

/** Schemas by title. */
class SchemaComponents {
  readonly #byTitle = new Map<string, { readonly text: string; readonly schema: JsonSchema }>();

  /** `schema` as it goes into the document: what has a title becomes a reference, at every depth. */
  place(schema: JsonSchema): JsonSchema {
    return this.#place(JSON.parse(JSON.stringify(schema))) as JsonSchema;
  }

  all(): Readonly<Record<string, JsonSchema>> {
    const entries = [...this.#byTitle].sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(entries.map(([title, { schema }]) => [title, schema]));
  }

  #place(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#place(item));
    if (value === null || typeof value !== 'object') return value;
    // Examples are values, in which `title` is no keyword.
    const placed = Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === 'examples' ? member : this.#place(member)]),
    );
    // A property called `title` is an object, not the keyword.
    if (typeof placed.title !== 'string') return placed;
    const { title } = placed;
    const text = JSON.stringify(placed);
    const known = this.#byTitle.get(title);
    if (known !== undefined && known.text !== text) throw new Error(`two different schemas have the title ${title}`);
    this.#byTitle.set(title, { text, schema: placed });
    return { $ref: `#/components/schemas/${encodeURIComponent(title)}` };
  }
}

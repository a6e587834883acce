/** The parts of an OpenAPI document that the reference shows. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
  /** Alternatives; each needs all of its schemes. */
  readonly security?: readonly Security[];
}

export type Security = Readonly<Record<string, readonly string[]>>;

export interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly security?: readonly Security[];
  readonly 'x-access'?: Access;
}

/** The access to a route: public, or for callers with one of the privileges and one of the roles. */
export type Access =
  | 'public'
  | {
      readonly privileges: readonly string[] | string;
      readonly roles: readonly string[] | string;
      readonly audit?: boolean;
    };

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface OpenApiResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

/** One method of one path. */
export interface ApiRoute extends OpenApiOperation {
  readonly method: string;
  readonly path: string;
}

/** Returns all routes, by tag, path and method as the document lists them. */
export function routesOf({ paths }: OpenApiDocument): readonly ApiRoute[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return routes.toSorted((one, other) => (one.tags?.[0] ?? '').localeCompare(other.tags?.[0] ?? '', 'en'));
}

/** Returns the routes that have every typed word in their method, path, summary, description or tags. */
export function foundRoutes(routes: readonly ApiRoute[], typed: string): readonly ApiRoute[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return routes;
  return routes.filter(({ method, path, summary, description, tags }) => {
    const text = [method, path, summary, description, ...(tags ?? [])].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns what a reference stands for; undefined for one that leads nowhere. */
export function resolved(document: OpenApiDocument, schema: Schema): Schema | undefined {
  if (schema.$ref === undefined) return schema;
  return document.components?.schemas?.[nameOf(schema.$ref)];
}

export function resolvedResponse(document: OpenApiDocument, response: OpenApiResponse): OpenApiResponse {
  if (response.$ref === undefined) return response;
  return document.components?.responses?.[nameOf(response.$ref)] ?? {};
}

export const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

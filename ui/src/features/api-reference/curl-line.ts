import {
  type ApiRoute,
  type OpenApiDocument,
  type Parameter,
  resolved,
  type Schema,
  type Security,
} from './openapi.ts';

/** The address and the account of a call. */
export interface Caller {
  /** Address of the service, without a final slash. */
  readonly address: string;
  readonly username: string;
}

const JSON_TYPE = 'application/json';
const MAX_DEPTH = 3;

/** Returns a command that calls a route, with an API key in the place of its secret. */
export function curlLine(document: OpenApiDocument, route: ApiRoute, caller: Caller): string {
  const parts = ['curl'];
  if (route.method !== 'GET') parts.push(`-X ${route.method}`);
  parts.push(...credentials(document, route, caller));
  const content = route.requestBody?.content;
  const schema = content?.[JSON_TYPE]?.schema;
  const [type] = Object.keys(content ?? {});
  if (schema !== undefined) {
    parts.push(`-H ${quoted(`content-type: ${JSON_TYPE}`)}`);
    parts.push(`-d ${quoted(JSON.stringify(exampleOf(document, schema)))}`);
  } else if (type === 'multipart/form-data') parts.push(`-F ${quoted('bin=@FILE')}`);
  else if (type !== undefined) parts.push(`-H ${quoted(`content-type: ${type}`)}`, `--data-binary ${quoted('@FILE')}`);
  parts.push(quoted(`${caller.address}${placeOf(route)}`));
  return parts.join(' ');
}

/** Returns the path with examples of its parameters, and the query parameters that are needed. */
function placeOf({ path, parameters = [] }: ApiRoute): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(exampleText(parameter) ?? name.toUpperCase());
  });
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  const query = needed.map((one) => `${one.name}=${encodeURIComponent(exampleText(one) ?? one.name.toUpperCase())}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function exampleText(parameter: Parameter | undefined): string | undefined {
  const schema = parameter?.schema;
  const value = schema?.examples?.[0] ?? schema?.default ?? schema?.enum?.[0];
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}

function credentials(document: OpenApiDocument, route: ApiRoute, { username }: Caller): string[] {
  const alternatives = route.security ?? document.security ?? [];
  const chosen = alternatives.find((one) => isByKey(document, one)) ?? alternatives[0] ?? {};
  return Object.keys(chosen).flatMap((id) => {
    const scheme = document.components?.securitySchemes?.[id];
    const name = scheme?.name ?? '';
    if (scheme?.type === 'http' && scheme.scheme === 'basic') return [`-u ${quoted(`${username}:KEY NAME:SECRET`)}`];
    if (scheme?.type === 'http') return [`-H ${quoted('authorization: Bearer TOKEN')}`];
    if (scheme?.in === 'cookie')
      return [`-H ${quoted('sec-fetch-site: same-origin')}`, `-b ${quoted(`${name}=SESSION`)}`];
    if (scheme?.in !== 'header') return [];
    return [`-H ${quoted(`${name}: ${name.toUpperCase() === 'X-USER' ? username : 'KEY NAME:SECRET'}`)}`];
  });
}

/** Tells whether people call with an API key of their own: user and key, or both in one. */
function isByKey(document: OpenApiDocument, alternative: Security): boolean {
  const schemes = Object.keys(alternative).map((id) => ({ id, ...document.components?.securitySchemes?.[id] }));
  const isPair = schemes.length === 2 && schemes.every((one) => one.in === 'header' && one.type === 'apiKey');
  const isBasic = schemes.length === 1 && schemes[0]?.scheme === 'basic';
  return isPair || isBasic;
}

/** Returns an example of a value: the one of the schema, or one that is made of its members. */
export function exampleOf(document: OpenApiDocument, given: Schema, depth = 0): unknown {
  const schema = resolved(document, given) ?? {};
  const known = given.examples?.[0] ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (known !== undefined) return known;
  const alternative = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (depth >= MAX_DEPTH) return {};
  if (alternative !== undefined) return exampleOf(document, alternative, depth + 1);
  if (schema.type === 'array') return schema.items === undefined ? [] : [exampleOf(document, schema.items, depth + 1)];
  if (schema.properties !== undefined) {
    const needed = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(needed.map(([name, member]) => [name, exampleOf(document, member, depth + 1)]));
  }
  if (schema.type === 'string') return 'TEXT';
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.type === 'boolean' ? true : {};
}

/** Returns a word of a POSIX shell that stands for exactly this string. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import type { ListedRoute } from '../src/http/route-list.ts';
import type { InputSchema } from '../src/input/input-reader.ts';
import type { TestRequest } from '../src/testing/start-test-program.ts';

const BOUNDARY = 'example-boundary';

/** Returns the first example of a schema, else an object of the examples of its members. */
export function exampleOf(schema: InputSchema | undefined): unknown {
  if (schema?.examples !== undefined) return schema.examples[0];
  const members = Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
    const example = exampleOf(member);
    return example === undefined ? [] : [[name, example] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

export function propertiesOf(schema: unknown): Readonly<Record<string, InputSchema>> {
  return (schema as InputSchema | undefined)?.properties ?? {};
}

/** Returns the names of the parts of a path, `*` for its rest. */
export function partsOf(url: string): readonly string[] {
  return [...url.matchAll(/:([A-Za-z0-9_]+)|(\*)$/g)].map(([, name, rest]) => name ?? rest ?? '');
}

/** Returns the path of a route with the examples of its parts and of its query arguments. */
export function pathOf({ url, schema }: ListedRoute): string {
  const properties = propertiesOf(schema.params);
  const path = url.replaceAll(/:([A-Za-z0-9_]+)|\*$/g, (part, name: string | undefined) =>
    encodeURIComponent(String(exampleOf(properties[name ?? part]))),
  );
  const query = exampleOf(schema.querystring as InputSchema | undefined);
  return query === undefined ? path : `${path}?${new URLSearchParams(query as Record<string, string>)}`;
}

/** Returns a request with the example of the body of a route. */
export function exampleRequest({ body, schema }: ListedRoute): TestRequest {
  if (body === 'ignored') return {};
  if (body === 'stream') return streamedBody(schema.streamed ?? {});
  const example = exampleOf(schema.body as InputSchema | undefined) ?? {};
  return body === 'text' ? { body: String(example) } : { json: example };
}

/** Returns the example of a streamed body: JSON, or a form where only that is accepted. */
function streamedBody(bodies: Readonly<Record<string, unknown>>): TestRequest {
  const { 'application/json': json, 'multipart/form-data': form } = bodies as Readonly<Record<string, InputSchema>>;
  if (json !== undefined || form === undefined) return { json: exampleOf(json) ?? {} };
  const parts = Object.entries(propertiesOf(form)).flatMap(([name, part]) => {
    const { examples } = part;
    const file = 'format' in part ? '; filename="example"' : '';
    const header = `Content-Disposition: form-data; name="${name}"${file}`;
    return examples === undefined ? [] : [`--${BOUNDARY}\r\n${header}\r\n\r\n${examples[0]}\r\n`];
  });
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return { headers, body: `${parts.join('')}--${BOUNDARY}--\r\n` };
}

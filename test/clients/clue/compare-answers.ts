import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type EqualRequest, GOOD_TOKEN } from './equal-requests.ts';

/** An answer without what differs between two equal plugins. */
interface ComparedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Members that hold the time of the answer. */
const TIMES = ['timestamp'];
/** Fields of forms that only the public SDK lists; its own pages cannot show such a form. */
const BROKEN_FIELDS = ['context'];
/** Texts of form schemas, which the public SDK makes of names and comments of its code. */
const SCHEMA_TEXTS = ['title', 'description'];

/**
 * Sends the request to a plugin of the public SDK and to its twin of ours.
 * Returns both answers as text if they differ in more than what is volatile.
 */
export async function differenceAt(request: EqualRequest, python: string, ours: string): Promise<string | undefined> {
  const { at, json, body, differs } = request;
  const [expected, answer] = await Promise.all([answerTo(request, python), answerTo(request, ours)]);
  if (differs !== undefined) assert.equal(expected.status, differs.python, `${at}: ${differs.reason}`);
  const wanted = differs === undefined ? expected : { ...expected, status: differs.ours };
  if (isDeepStrictEqual(answer, wanted)) return undefined;
  const sent = JSON.stringify(json ?? body ?? '');
  return `${at} ${sent}\n  python ${JSON.stringify(wanted)}\n  ours   ${JSON.stringify(answer)}`;
}

async function answerTo(request: EqualRequest, url: string): Promise<ComparedAnswer> {
  const { at, json, token = GOOD_TOKEN, volatile, differs } = request;
  const [path = '', method = 'GET'] = at.split(' ').toReversed();
  const body = json === undefined ? request.body : JSON.stringify(json);
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === false ? {} : { authorization: `Bearer ${token}` }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const { status } = answer;
  if (volatile?.body !== undefined || differs !== undefined) return { status, body: undefined };
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  if (!isJson || text === '') return { status, body: text };
  const parsed = JSON.parse(text);
  if (path.startsWith('/actions') && method === 'GET') withoutSchemaTexts(parsed.api_response);
  return { status, body: comparable(parsed, volatile?.message !== undefined) };
}

/** Leaves out times and, if asked to, the text of the error wherever the envelope repeats it. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function comparable(body: any, hasVolatileMessage: boolean): unknown {
  const message: string = body.api_error_message;
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (TIMES.includes(key)) return typeof value;
    if (key === 'supported_types') return value.toSorted();
    if (typeof value !== 'string') return value;
    if (hasVolatileMessage && message !== '' && value === message) return 'volatile';
    return typesInOrder(value);
  });
}

/** The public SDK names types in the order of a set, which changes from start to start. */
function typesInOrder(text: string): string {
  return text.replace(/(?<=valid types: )[\w, ]+/i, (types) => types.split(', ').toSorted().join(', '));
}

/** Leaves out of every form what is not compared. */
function withoutSchemaTexts(actions: Record<string, { params: { properties: Record<string, unknown> } }>): void {
  for (const action of Object.values(actions)) {
    action.params = JSON.parse(JSON.stringify(action.params), (key, value) =>
      SCHEMA_TEXTS.includes(key) ? undefined : value,
    );
    for (const field of BROKEN_FIELDS) delete action.params.properties[field];
  }
}

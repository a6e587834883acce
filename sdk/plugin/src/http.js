import { InvalidData, PluginError } from './errors.js';

const MAX_BODY = 10 * 1024 * 1024;
const JSON_TYPE = /^application\/(?:json|[\w.+-]+\+json)\s*(?:;|$)/i;

/** @throws PluginError 415 */
export function assertJson({ headers }) {
  const type = headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type)) throw new PluginError(415, `The body must be application/json, not "${type}".`);
}

/** Decodes a part of a path; one that is not encoded right stays as it is. */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns whether a flag of the query is on. */
export function isSet(query, name) {
  return ['true', '1', ''].includes(query.get(name)?.toLowerCase());
}

/** Returns the number of a text if it is above zero. */
export function positive(text) {
  const number = Number(text);
  return text !== null && text !== '' && number > 0 && Number.isFinite(number) ? number : undefined;
}

/** Reads a body of JSON; undefined for none. @throws InvalidData, PluginError 413 */
export async function readJson(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) throw new PluginError(413, `The body is longer than ${MAX_BODY} bytes.`);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new InvalidData('The body is not JSON.');
  }
}

/** Sends an answer in the envelope of the protocol. */
export function sendEnvelope(response, { status = 200, message = '', data, headers = {} }) {
  const body = { api_response: data, api_error_message: message, api_status_code: status };
  send(response, status, 'application/json', JSON.stringify(body), headers);
}

export function send(response, status, type, body, headers = {}) {
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

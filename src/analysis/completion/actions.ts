import { boolean, group, integer, keyword } from '../../documents/schema/field-builders.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readObject } from '../../documents/schema/read-document.ts';
import { InvalidInput, isTriadError, messageOf } from '../../errors/errors.ts';
import { readPlainYaml } from '../system/plain-yaml.ts';
import { ActionFilter } from './action-filter.ts';

/** Actions of an installation. */
const MAX_ACTIONS = 200;
/** Attempts at one webhook. */
export const MAX_RETRIES = 10;

const header = group('WebhookHeader', 'A header of the request.', {
  name: keyword('Name of the header.'),
  value: keyword('Value of the header.'),
});
const webhookField = group('Webhook', 'A request to another server.', {
  uri: keyword('Address of the server.'),
  method: keyword('Method of the request.').default('POST'),
  headers: header.list().default([]),
  username: keyword('User name at the server.').optional(),
  password: keyword('Password at the server.').optional(),
  ca_cert: keyword('Certificates of authorities in PEM.').optional(),
  proxy: keyword('Address of a proxy.').optional(),
  retries: integer('Attempts.', { minimum: 0 }).default(3),
  ssl_ignore_errors: boolean('Whether the certificate of the server is not verified.').default(false),
});
const resubmitField = group('Resubmit', 'A second, deeper analysis.', {
  additional_services: keyword('Services of the second analysis.').list().default([]),
  random_below: integer('Score below which it takes place with a probability alone.').optional(),
});
const actionField = group('PostprocessAction', 'What happens after an analysis.', {
  enabled: boolean('Whether it is on.').default(false),
  filter: keyword('Submissions that it is for, as a query.'),
  run_on_cache: boolean('Whether it is for submissions that an earlier result answers.').default(false),
  run_on_completed: boolean('Whether it is for submissions that were analysed.').default(false),
  raise_alert: boolean('Whether an alert is made.').default(false),
  archive_submission: boolean('Whether the submission is archived.').default(false),
  use_archive_alternate_dtl: boolean('Whether the archive keeps it as long as its own setting says.').default(false),
  resubmit: resubmitField.optional(),
  webhook: webhookField.optional(),
});

export type Webhook = typeof webhookField.Value;

/** An action that follows an analysis. */
export interface Action extends Omit<typeof actionField.Value, 'filter'> {
  readonly name: string;
  readonly filter: ActionFilter;
}

/** Actions of an installation whose administrators wrote none (contract/analysis.md section 7.5). */
export const DEFAULT_ACTIONS = `# What happens after an analysis, by name.
default_alerts:
  enabled: true
  filter: 'max_score: >=500'
  run_on_cache: true
  run_on_completed: true
  raise_alert: true
default_resubmit:
  enabled: true
  filter: 'max_score: >=0'
  run_on_cache: true
  run_on_completed: true
  resubmit:
    additional_services: []
    random_below: 500
`;

/** Reads the YAML of actions. @throws InvalidInput `invalid_actions`; TooLarge `yaml_too_large` */
export function readActions(yaml: string): readonly Action[] {
  const value = refusing('', () => readPlainYaml(yaml));
  if (!isObject(value)) throw invalid('It must be an object of actions by their name');
  const actions = Object.entries(value).map(([name, action]) => refusing(`${name}: `, () => readAction(name, action)));
  if (actions.length <= MAX_ACTIONS) return actions;
  throw invalid(`There are ${actions.length} actions, and at most ${MAX_ACTIONS} are allowed`);
}

function readAction(name: string, input: unknown): Action {
  const { filter: text, ...action } = readObject(actionField, input, { unknown: 'refuse', path: name });
  const filter = new ActionFilter(text);
  if (action.enabled && action.run_on_cache && !filter.isCacheSafe) {
    const allowed = 'sid, max_score, files, metadata and params';
    throw invalidAction(`run_on_cache: of a submission that an earlier result answers only ${allowed} are known`);
  }
  const { webhook } = action;
  if (webhook !== undefined) checkWebhook(webhook);
  return { ...action, name, filter };
}

function checkWebhook({ uri, method, retries, proxy }: Webhook): void {
  for (const address of [uri, ...(proxy ? [proxy] : [])]) {
    if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
      throw invalidAction(`${JSON.stringify(address)} is not an address that begins with http:// or https://`);
    }
  }
  if (!/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method)) {
    throw invalidAction(`${JSON.stringify(method)} is not a method; allowed are GET, POST, PUT, PATCH and DELETE`);
  }
  if (retries > MAX_RETRIES) throw invalidAction(`retries is ${retries}, and at most ${MAX_RETRIES} are allowed`);
}

function refusing<T>(begin: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isTriadError(error) && error.kind === 'invalid_input' && error.code !== 'invalid_actions') {
      throw invalid(begin + messageOf(error));
    }
    throw error;
  }
}

function invalidAction(reason: string): InvalidInput {
  return new InvalidInput('invalid_action', reason);
}

function invalid(reason: string): InvalidInput {
  const message = `Invalid post processing actions file submitted: ${reason}`;
  return new InvalidInput('invalid_actions', message, { response: { success: false } });
}

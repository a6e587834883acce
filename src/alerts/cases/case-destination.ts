import mustache from 'mustache';
import { valueAt } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';

/** The place of a record in a case. */
export interface CaseDestination {
  /** Names of the folders, the outermost first; none: the root of the case. */
  readonly folders: readonly string[];
  /** In the last of them. Undefined: the destination names none. */
  readonly name: string | undefined;
}

const MAX_TEMPLATE_LENGTH = 1000;
const MAX_PATH_LENGTH = 1000;
const DEEPEST_FOLDER = 20;
/** Limit of repetitions: sections repeat their text for every item, nested ones for every pair. */
const MAX_REPETITIONS = 1000;

/**
 * A Mustache template for the place of records: `related/{{howler.analytic}} ({{howler.id}})`.
 * The part after the last slash is the name, those before it are folders. Slashes in fields make folders, too.
 */
export class DestinationTemplate {
  readonly #text: string;

  /** @throws InvalidInput `invalid_destination`, when it is not a template */
  constructor(text: string) {
    if (text.length > MAX_TEMPLATE_LENGTH) throw invalid(`is longer than ${MAX_TEMPLATE_LENGTH} characters`);
    try {
      new DestinationWriter().parse(text);
    } catch (cause) {
      throw invalid(`cannot be read: ${cause instanceof Error ? cause.message : 'it is not a template'}`, cause);
    }
    this.#text = text;
  }

  /** @throws InvalidInput `invalid_destination`, when this record makes it too long or too deep */
  of(record: object): CaseDestination {
    const path = new DestinationWriter().render(this.#text, new RecordContext(record), undefined, { escape: shown });
    if (path.length > MAX_PATH_LENGTH) throw invalid(`becomes longer than ${MAX_PATH_LENGTH} characters`);
    const names = path.split('/').map((name) => name.trim());
    const name = names.pop();
    const folders = names.filter((folder) => folder !== '');
    if (folders.length > DEEPEST_FOLDER) throw invalid(`becomes deeper than ${DEEPEST_FOLDER} folders`);
    return { folders, name: name === '' ? undefined : name };
  }
}

/** Names look up what the record itself has, and run nothing. */
class RecordContext extends mustache.Context {
  override push(view: unknown): RecordContext {
    return new RecordContext(view, this);
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view;
    const value = valueAt(this.view, name);
    return value === undefined ? this.parent?.lookup(name) : value;
  }
}

class DestinationWriter extends mustache.Writer {
  #repetitions = 0;

  override renderTokens(...args: Parameters<mustache.Writer['renderTokens']>): string {
    this.#repetitions += 1;
    if (this.#repetitions > MAX_REPETITIONS) throw invalid(`repeats more than ${MAX_REPETITIONS} times`);
    return super.renderTokens(...args);
  }
}

/** Texts stand as they are: a destination is no HTML. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'object' ? '' : String(value);
}

function invalid(problem: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_destination', `The destination ${problem}.`, { at: 'destination', cause });
}

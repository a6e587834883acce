import { MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import { MAX_RESULT_WINDOW } from '../../datastore/port/search.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { storedFieldsOnly } from '../../documents/schema/output.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { UserStore } from '../../identity/user-store.ts';
import type { ArchiveScopes, SearchScope } from '../archive-access/archive-scopes.ts';

export interface SubmissionListDependencies {
  readonly scopes: Pick<ArchiveScopes, 'searched'>;
  readonly users: Pick<UserStore, 'get'>;
}

export interface SubmissionPage {
  readonly offset: number;
  readonly rows: number;
  /** Lucene queries that the submissions match, too. */
  readonly filters: readonly string[];
  /** Counts all matches instead of the first 10,000. */
  readonly countsAll: boolean;
  readonly scope: SearchScope;
}

/** Stands for every group in the address of a list. */
const EVERY_GROUP = 'ALL';

/** Lists submissions, the newest first. */
export class SubmissionList {
  readonly #dependencies: SubmissionListDependencies;

  constructor(dependencies: SubmissionListDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NotFound `user_missing`, InvalidInput `invalid_query` */
  async ofUser(actor: Actor, username: string, page: SubmissionPage) {
    if ((await this.#dependencies.users.get(username)) === undefined) {
      throw new NotFound('user_missing', `User ${username} does not exists.`);
    }
    return await this.#list(actor, { kind: 'term', field: 'params.submitter', value: username }, page);
  }

  /** Lists the submissions for a group of users; `ALL`: everything that the actor may see. */
  async ofGroup(actor: Actor, group: string, page: SubmissionPage) {
    const query: QueryNode = group === EVERY_GROUP ? MATCH_ALL : { kind: 'term', field: 'params.groups', value: group };
    return await this.#list(actor, query, page);
  }

  async #list(actor: Actor, query: QueryNode, { offset, rows, filters, countsAll, scope }: SubmissionPage) {
    const submissions = this.#dependencies.scopes.searched(submissionDocument, scope);
    const compiled = filters.map((filter) => compiledFilter(filter));
    const found = await submissions.search(
      { query, filters: compiled, offset, rows, sort: submissionDocument.defaultSort },
      actor.searchAccess,
    );
    return {
      items: found.items.map(({ id, document }) => ({
        ...storedFieldsOnly(submissionDocument, wholeOutput(submissionDocument, document)),
        id,
      })),
      offset,
      rows,
      total: countsAll ? found.total : Math.min(found.total, MAX_RESULT_WINDOW),
    };
  }
}

/** @throws InvalidInput `invalid_query`, in words that clients of the public system know */
function compiledFilter(text: string): QueryNode {
  try {
    return compileQuery(text, submissionDocument, { defaultField: '*' });
  } catch (error) {
    if (!isTriadError(error)) throw error;
    throw new InvalidInput(error.code, `SearchException: ${error.message}`, { at: error.at, cause: error });
  }
}

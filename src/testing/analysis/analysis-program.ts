import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userDocument } from '../../documents/kinds/user.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import { hashApiKeySecret } from '../../identity/keys/api-key-records.ts';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestProgramOptions,
  type TestRequest,
} from '../start-test-program.ts';
import { ENFORCED_CLASSIFICATION } from './enforced-classification.ts';

const SECRET = 'secret';

export interface AnalysisTestProgram extends TestProgram {
  /** Calls the analysis service as a user of `saveUser`. */
  as(uname: string, path: string, request?: TestRequest): Promise<TestAnswer>;
  /** Has the key `key` with all privileges, and `roles` with these roles. */
  saveUser(
    uname: string,
    account?: {
      readonly type?: readonly string[];
      readonly classification?: string;
      readonly roles?: readonly string[];
    },
  ): Promise<void>;
  /** Stores a document as the program would, with defaults and hidden access fields. */
  store<T extends object>(definition: DocumentDefinition<T>, id: string, document: unknown): Promise<void>;
}

/** Starts the program with the built-in classifications, enforced, and a door for documents. */
export async function startAnalysisTestProgram(options: TestProgramOptions = {}): Promise<AnalysisTestProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'triad-analysis-'));
  await writeFile(join(folder, 'classification.yml'), ENFORCED_CLASSIFICATION);
  const program = await startTestProgram({ demo: 'none', folder, ...options });
  const { classification, datastore, users } = program.foundation;
  return {
    ...program,
    as: (uname, path, request = {}) =>
      program.request(path, {
        ...request,
        service: 'analysis',
        headers: { 'x-user': uname, 'x-apikey': `key:${SECRET}`, ...request.headers },
      }),
    async saveUser(uname, { type = ['user'], classification: clearance = 'TLP:CLEAR', roles = [] } = {}) {
      const key = {
        acl: ['R', 'W', 'E'],
        password: hashApiKeySecret(SECRET),
        expiry_date: '2999-01-02T03:04:05.000000Z',
      };
      const account = {
        ...{ uname, name: uname, email: `${uname}@triad.example`, type, classification: clearance },
        ...{
          groups: ['USERS'],
          apikeys: { key, roles: { ...key, acl: [] } },
          key_details: { roles: { roles } },
          password: 'none',
        },
      };
      const { document } = readDocument(userDocument, account, { unknown: 'refuse', classification });
      await users.save(document);
    },
    async store(definition, id, given) {
      const { document } = readDocument(definition, given, { unknown: 'drop', classification });
      const collection = datastore.collection(definition);
      const target =
        definition.classificationField === undefined
          ? collection
          : classifiedCollection(collection, definition, classification);
      await target.save(id, document, { visible: 'now' });
    },
    async close() {
      await program.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

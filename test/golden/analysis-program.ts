import { heuristicDocument } from '../../src/documents/kinds/analysis/heuristic.ts';
import { submissionDocument } from '../../src/documents/kinds/analysis/submission.ts';
import { userDocument } from '../../src/documents/kinds/user.ts';
import { readDocument } from '../../src/documents/schema/read-document.ts';
import { hashApiKeySecret } from '../../src/identity/keys/api-key-records.ts';
import { hashPassword } from '../../src/identity/passwords/passwords.ts';
import { seedDocument } from '../../src/testing/seed-document.ts';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../../src/testing/start-test-program.ts';

/** The secret of every API key of the recordings' users. */
const SECRET = 'admin';

const EXPIRY = '2999-01-02T03:04:05.000000Z';
/** The recorded keys were some days old and had been used. */
const USED = { creation_date: '2026-01-02T03:04:05.000000Z', last_used: new Date().toISOString() };

/**
 * The program as the recordings of the analysis service want it: users `admin` and `user` with their
 * names as passwords and the key
 * `devkey:admin` for reading and writing, a heuristic, the built-in classification, no quotas.
 * @param settings by key, beside these
 */
export async function startAnalysisProgram(settings: TestProgramOptions['settings'] = {}): Promise<TestProgram> {
  const program = await startTestProgram({
    demo: 'none',
    settings: {
      'ui.enforce_quota': false,
      'ui.audit': true,
      'system.type': 'production',
      'analysis.core.alerter.delay': 0,
      ...settings,
    },
  });
  for (const uname of ['admin', 'user'] as const) await saveUser(program, uname);
  await saveHeuristic(program);
  await saveSubmission(program);
  return program;
}

async function saveUser({ foundation }: TestProgram, uname: 'admin' | 'user'): Promise<void> {
  const { document } = readDocument(
    userDocument,
    {
      uname,
      name: uname === 'admin' ? 'Administrator' : uname,
      email: `${uname}@triad.example`,
      type: [uname],
      // The recorded administrator had a limit, which answers tell what is left of.
      ...(uname === 'admin' ? { api_daily_quota: 1000 } : {}),
      groups: ['USERS'],
      classification: foundation.classification.restricted,
      password: await hashPassword(uname),
      apikeys: { devkey: { acl: ['R', 'W'], password: hashApiKeySecret(SECRET), expiry_date: EXPIRY } },
      key_details: { devkey: USED },
    },
    { unknown: 'refuse', classification: foundation.classification },
  );
  await foundation.users.save(document);
}

/** A heuristic of the recorded services, for the fields that its signatures add. */
async function saveHeuristic({ foundation }: TestProgram): Promise<void> {
  const { document } = readDocument(
    heuristicDocument,
    {
      heur_id: 'UNPACK.3',
      name: 'Score by signature',
      description: 'As the recorded service had it.',
      filetype: '.*',
      score: 10,
      signature_score_map: { s300: 300, s1000: 1000, s2000: 2000, zip_with_members: 120 },
    },
    { unknown: 'refuse', classification: foundation.classification },
  );
  await foundation.datastore.collection(heuristicDocument).save(document.heur_id, document, { visible: 'now' });
}

/** A submission with the metadata that the recorded system knew: its names are fields of the index. */
async function saveSubmission(program: TestProgram): Promise<void> {
  const names = 'al bar big case d deep.key golden ingest_id kind list m n nested.a.b tag ts type z'.split(' ');
  await seedDocument(program, submissionDocument, 'recordedMetadata', {
    sid: 'recordedMetadata',
    state: 'completed',
    error_count: 0,
    errors: [],
    results: [],
    file_count: 0,
    files: [],
    max_score: 0,
    metadata: Object.fromEntries(names.map((name) => [name, 'recorded'])),
    params: { submitter: 'recorded', description: 'Names of metadata.' },
  });
}

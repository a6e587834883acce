import { embeddedSubjects } from '../../datastore/embedded/conformance-subjects.ts';
import { reindexArea } from '../../testing/migrations/reindex-area.ts';

const { memory, disk } = embeddedSubjects();
reindexArea(memory);
reindexArea({ ...disk, cutOffEvery: 0 });

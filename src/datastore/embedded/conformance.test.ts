import { datastoreConformance } from '../conformance/index.ts';
import { breakDatastore } from '../conformance/mutants/broken-datastores.ts';
import { embeddedSubjects } from './conformance-subjects.ts';

const { memory, disk } = embeddedSubjects();
datastoreConformance(memory);
datastoreConformance(disk);

// The suite must see an adapter through its port alone: behind a wrapper that does nothing it passes all the same.
const { memory: wrapped } = embeddedSubjects((store) => breakDatastore(store, {}));
datastoreConformance({ ...wrapped, name: 'embedded behind a wrapper' });

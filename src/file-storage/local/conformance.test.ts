import { fileStorageConformance } from '../conformance/index.ts';
import { localSubject } from './conformance-subject.ts';

fileStorageConformance(localSubject());

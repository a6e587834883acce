import { sourceConformance } from '../conformance/index.ts';
import { IN_PROCESS_SUBJECT } from './conformance-subject.ts';

sourceConformance(IN_PROCESS_SUBJECT);

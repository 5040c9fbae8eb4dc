/** Replays every recorded case on both engines, and on the oldest version of PostgreSQL. */
import { onEachEngineVersion } from '../support/engines.ts'
import { loadRecording } from './recording.ts'
import { replayOnEachEngine } from './suite.ts'

replayOnEachEngine(loadRecording().cases, { declare: onEachEngineVersion })

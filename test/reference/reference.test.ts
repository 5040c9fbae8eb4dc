/** Replays every recorded case on both engines. */
import { loadRecording } from './recording.ts'
import { replayOnEachEngine } from './suite.ts'

replayOnEachEngine(loadRecording().cases)

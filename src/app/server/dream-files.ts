/** The input and the output file of a dream's job, in its directory. */
export const JOB_FILE = "job.json";
export const RESULT_FILE = "result.json";

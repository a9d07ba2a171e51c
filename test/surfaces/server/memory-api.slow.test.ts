import { memoryApiContract } from "../../contracts/memory-api.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

const programs = postgresPrograms();

memoryApiContract("the embedded database", true, { place: async () => ({ directory: scratchForFile() }) });
memoryApiContract("a PostgreSQL server", programs !== undefined, {
  place: async () => ({ directory: scratchForFile(), databaseUrl: await postgresCluster(programs ?? "") }),
});

import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node on loopback, until the process ends. Arguments: folder, HTTP port, transport port. */
public class OpenSearchNode {
    public static void main(String[] arguments) throws Exception {
        String folder = arguments[0];
        OpenSearchRunner runner = new OpenSearchRunner();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                runner.close();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
        }));
        runner.onBuild((number, settings) -> {
            settings.put("node.name", "n1");
            settings.put("discovery.type", "single-node");
            settings.put("http.host", "127.0.0.1");
            settings.put("http.port", arguments[1]);
            settings.put("transport.host", "127.0.0.1");
            settings.put("transport.port", arguments[2]);
            settings.putList("path.repo", folder + "/repo");
            settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
            settings.put("action.destructive_requires_name", true);
        }).build(OpenSearchRunner.newConfigs().clusterName("local").numOfNode(1).basePath(folder));
        Thread.currentThread().join();
    }
}

"""A receiver of OTLP over HTTP that decodes with OpenTelemetry's own messages (opentelemetry-proto) and prints what it got.

Prints its port first, then each value as a line of JSON: name, kind, attributes, time in ns, value. With an argument it
rejects so many values of each request, as a receiver may that takes a part.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)

rejects = int(sys.argv[1]) if len(sys.argv) > 1 else 0


def say(value):
    print(json.dumps(value), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        request = ExportMetricsServiceRequest.FromString(body)
        for resource in request.resource_metrics:
            service = {one.key: one.value.string_value for one in resource.resource.attributes}
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    kind = metric.WhichOneof("data")
                    for point in getattr(metric, kind).data_points:
                        attributes = {one.key: one.value.string_value for one in point.attributes}
                        held = point.WhichOneof("value")
                        say(
                            {
                                "path": self.path,
                                "authorization": self.headers.get("authorization"),
                                "service": service.get("service.name"),
                                "name": metric.name,
                                "kind": kind,
                                "attributes": attributes,
                                "ns": str(point.time_unix_nano),
                                "value": getattr(point, held),
                            }
                        )
        answer = ExportMetricsServiceResponse()
        if rejects:
            answer.partial_success.rejected_data_points = rejects
            answer.partial_success.error_message = "no room"
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.end_headers()
        self.wfile.write(answer.SerializeToString())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
say({"port": server.server_port})
server.serve_forever()
